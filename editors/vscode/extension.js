// Grandstand in VS Code: the language server and the debug adapter of the program `grandstand`.
"use strict";

const path = require("path");
const vscode = require("vscode");
const { Client } = require("./client.js");

const LANGUAGES = ["cl", "rcl"];
// Kinds of completion items by their numbers in the protocol, which VS Code counts from 0.
const kindOf = (kind) => kind - 1;

let client;

const setting = (name) => vscode.workspace.getConfiguration("grandstand").get(name);
const range = ({ start, end }) => new vscode.Range(start.line, start.character, end.line, end.character);
const edit = (change) => vscode.TextEdit.replace(range(change.range), change.newText);
const location = (found) => new vscode.Location(vscode.Uri.parse(found.uri), range(found.range));
const markdown = (content) => new vscode.MarkdownString(typeof content === "string" ? content : content.value);
const isOurs = (document) => LANGUAGES.includes(document.languageId);

function diagnostic(told) {
  const found = new vscode.Diagnostic(range(told.range), told.message, told.severity - 1);
  found.source = told.source;
  found.tags = told.tags;
  found.relatedInformation = (told.relatedInformation || []).map(
    (other) => new vscode.DiagnosticRelatedInformation(location(other.location), other.message),
  );
  return found;
}

function symbol(told) {
  const found = new vscode.DocumentSymbol(told.name, told.detail || "", told.kind - 1, range(told.range), range(told.selectionRange));
  found.children = (told.children || []).map(symbol);
  return found;
}

function completion(told) {
  const item = new vscode.CompletionItem(told.label, kindOf(told.kind));
  item.detail = told.detail;
  item.sortText = told.sortText;
  if (told.documentation) item.documentation = markdown(told.documentation);
  if (told.textEdit) {
    item.range = range(told.textEdit.range);
    item.insertText = told.textEdit.newText;
  }
  item.additionalTextEdits = (told.additionalTextEdits || []).map(edit);
  item.told = told;
  return item;
}

// Asks about a place, unless the server is gone.
async function ask(method, document, position, token, more = {}) {
  if (!client) return null;
  const params = { textDocument: { uri: document.uri.toString() }, ...more };
  if (position) params.position = { line: position.line, character: position.character };
  const asked = client.request(method, params, (cancel) => token.onCancellationRequested(cancel));
  return asked.catch(() => null);
}

function startServer(context) {
  const diagnostics = vscode.languages.createDiagnosticCollection("grandstand");
  const folders = (vscode.workspace.workspaceFolders || []).map((folder) => ({ uri: folder.uri.toString(), name: folder.name }));
  const told = (method, params) => {
    if (method === "textDocument/publishDiagnostics") {
      diagnostics.set(vscode.Uri.parse(params.uri), params.diagnostics.map(diagnostic));
    } else if (method === "window/showMessage") {
      vscode.window.showWarningMessage(params.message);
    }
  };
  const ended = (words) => {
    client = undefined;
    vscode.window.showErrorMessage(`${words}. The setting grandstand.path says where the program is.`);
  };
  client = new Client(setting("path"), ["lsp"], {}, told, ended);
  const open = (document) => {
    if (!client || !isOurs(document)) return;
    const { uri, languageId, version } = document;
    client.notify("textDocument/didOpen", { textDocument: { uri: uri.toString(), languageId, version, text: document.getText() } });
  };
  const started = client.request("initialize", { workspaceFolders: folders, capabilities: {} });
  started.then(
    () => {
      client.notify("initialized", {});
      vscode.workspace.textDocuments.forEach(open);
    },
    () => {},
  );
  const identifier = (document) => ({ uri: document.uri.toString(), version: document.version });
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.{cl,ch,rcl,rch}");
  const changed = () => client && client.notify("workspace/didChangeWatchedFiles", { changes: [] });
  context.subscriptions.push(
    diagnostics,
    watcher,
    watcher.onDidChange(changed),
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidOpenTextDocument((document) => started.then(() => open(document), () => {})),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!client || !isOurs(document) || contentChanges.length === 0) return;
      const changes = contentChanges.map(({ range, text }) => ({ range: { start: range.start, end: range.end }, text }));
      client.notify("textDocument/didChange", { textDocument: identifier(document), contentChanges: changes });
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      if (client && isOurs(document)) client.notify("textDocument/didClose", { textDocument: identifier(document) });
    }),
  );
}

function registerFeatures(context) {
  const { languages } = vscode;
  context.subscriptions.push(
    languages.registerHoverProvider(LANGUAGES, {
      async provideHover(document, position, token) {
        const told = await ask("textDocument/hover", document, position, token);
        return told && new vscode.Hover(markdown(told.contents), told.range && range(told.range));
      },
    }),
    languages.registerDefinitionProvider(LANGUAGES, {
      async provideDefinition(document, position, token) {
        const told = await ask("textDocument/definition", document, position, token);
        return told && [].concat(told).map(location);
      },
    }),
    languages.registerReferenceProvider(LANGUAGES, {
      async provideReferences(document, position, context, token) {
        const told = await ask("textDocument/references", document, position, token, { context });
        return (told || []).map(location);
      },
    }),
    languages.registerDocumentSymbolProvider(LANGUAGES, {
      async provideDocumentSymbols(document, token) {
        return ((await ask("textDocument/documentSymbol", document, null, token)) || []).map(symbol);
      },
    }),
    languages.registerCompletionItemProvider(
      LANGUAGES,
      {
        async provideCompletionItems(document, position, token) {
          return ((await ask("textDocument/completion", document, position, token)) || []).map(completion);
        },
        async resolveCompletionItem(item) {
          const told = client && (await client.request("completionItem/resolve", item.told).catch(() => null));
          if (told && told.documentation) item.documentation = markdown(told.documentation);
          return item;
        },
      },
      "#",
    ),
  );
}

// What is debugged without a launch.json: a bot against the opponent of the settings, or a recording.
function configurationFor(uri) {
  const common = { type: "grandstand", request: "launch", name: "Debug this match" };
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const cwd = folder ? folder.uri.fsPath : path.dirname(uri.fsPath);
  if (/\.replay(\.zst)?$/.test(uri.fsPath)) return { ...common, recording: uri.fsPath, cwd };
  const language = uri.fsPath.endsWith(".rcl") ? "rcl" : "cl";
  return { ...common, players: [uri.fsPath, setting("opponents")[language]], cwd };
}

function registerDebugger(context) {
  const debugMatch = (uri) => {
    const chosen = uri || (vscode.window.activeTextEditor && vscode.window.activeTextEditor.document.uri);
    if (!chosen) return vscode.window.showInformationMessage("Open a bot, or choose a recording, to debug its match.");
    return vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(chosen), configurationFor(chosen));
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("grandstand.debugMatch", debugMatch),
    vscode.debug.registerDebugConfigurationProvider("grandstand", {
      resolveDebugConfiguration(_, configuration) {
        const editor = vscode.window.activeTextEditor;
        if (configuration.type || !editor || !isOurs(editor.document)) return configuration;
        return configurationFor(editor.document.uri);
      },
    }),
    vscode.debug.registerDebugAdapterDescriptorFactory("grandstand", {
      createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(setting("path"), ["debug", "--dap"]),
    }),
  );
}

function activate(context) {
  registerDebugger(context);
  registerFeatures(context);
  startServer(context);
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
