// Starts `aspdoku lsp` for rule files, the files next to them, and puzzles.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

// A verdict has grids in columns, which a message would not keep.
async function show(text) {
  const document = await vscode.workspace.openTextDocument({ content: text });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

exports.activate = () => {
  const settings = vscode.workspace.getConfiguration("aspdoku");
  const [command, ...args] = settings.get("command");
  client = new LanguageClient("aspdoku", { command, args }, {
    documentSelector: [
      { language: "asp" },
      { language: "aspdoku-draw" },
      { language: "aspdoku-words" },
      { pattern: "**/*.examples" },
      { pattern: settings.get("puzzles") },
    ].flatMap(each => [{ ...each, scheme: "file" }, { ...each, scheme: "untitled" }]),
    initializationOptions: { pictures: true },
    middleware: {
      executeCommand: (name, values, next) => (name === "aspdoku.show" ? show(values[0]) : next(name, values)),
    },
  });
  return client.start();
};

exports.deactivate = () => client?.stop();
