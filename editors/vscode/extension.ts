// Starts `aspdoku lsp` for rule files, the files next to them, and puzzles.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

// A verdict has grids in columns, which a message would not keep. Its document is read-only, and its address contains the
// text: nothing asks to save it.
async function show(text: string): Promise<void> {
  const address = vscode.Uri.from({ scheme: "aspdoku", path: "verdict", query: text });
  const document = await vscode.workspace.openTextDocument(address);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

export function activate(context: vscode.ExtensionContext): Promise<void> {
  const verdicts = { provideTextDocumentContent: (address: vscode.Uri) => address.query };
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider("aspdoku", verdicts));
  const settings = vscode.workspace.getConfiguration("aspdoku");
  const [command, ...args] = settings.get<string[]>("command", ["aspdoku", "lsp"]);
  client = new LanguageClient("aspdoku", { command, args }, {
    documentSelector: [
      { language: "asp" },
      { language: "aspdoku-draw" },
      { language: "aspdoku-words" },
      { pattern: "**/*.examples" },
      { pattern: settings.get<string>("puzzles", "**/*.sudoku") },
    ].flatMap(each => [{ ...each, scheme: "file" }, { ...each, scheme: "untitled" }]),
    initializationOptions: { pictures: true },
    middleware: {
      executeCommand: (name, values, next) => (name === "aspdoku.show" ? show(values[0]) : next(name, values)),
    },
  });
  return client.start();
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}
