// A live page in a frame has the theme of the page around it, which Furo's button sets.
const frames = [...document.querySelectorAll("iframe.stage")];
const tell = (frame) => frame.contentWindow.postMessage({theme: document.body.dataset.theme}, "*");
new MutationObserver(() => frames.forEach(tell)).observe(document.body, {attributeFilter: ["data-theme"]});
for (const frame of frames) {
  frame.addEventListener("load", () => tell(frame));
  tell(frame); // it may have been loaded before
}
