// Starts `aspdoku lsp` for rule files, the files next to them, and puzzles.
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

// A verdict has grids in columns, which a message would not keep.
async function show(text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content: text });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

export function activate(): Promise<void> {
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
