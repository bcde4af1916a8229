// What the scripts need of a browser, for tests in Node: import it before them.
globalThis.document = {querySelector: () => null, getElementById: () => null};
