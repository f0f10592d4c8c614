//! The language server as a process: with a scripted client, and with Neovim.

use std::path::Path;
use std::process::{Command, Stdio};

use grandstand_testing::Folder;
use serde_json::{Value, json};

use crate::editor::Editor;
use crate::program::GRANDSTAND;

fn start(cache: &Folder) -> Editor {
    Editor::start(&["lsp"], cache)
}

fn request(editor: &mut Editor, method: &str, params: &Value) -> Value {
    editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }));
    let answer = editor.next();
    assert_eq!(answer["id"], 1, "{answer}");
    answer["result"].clone()
}

#[test]
fn an_editor_opens_a_bot_with_a_fault_and_asks() {
    let folder = Folder::new();
    folder.file("lib.ch", "let pace = 2 in\n");
    let mut editor = start(&folder);
    let root = format!("file://{}", folder.path().display());
    let hello = request(&mut editor, "initialize", &json!({ "rootUri": root }));
    assert_eq!(hello["serverInfo"]["name"], "grandstand");
    let uri = format!("{root}/bot.cl");
    let text = "#include lib.ch\n#include abalone/constants.ch\ndo (A_LOOK, pace +);\ndo (A_COMMITMOVE, 9)";
    let document = json!({ "uri": uri, "languageId": "cl", "version": 1, "text": text });
    editor.send(&json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let told = editor.next();
    assert_eq!(told["method"], "textDocument/publishDiagnostics");
    let lines: Vec<u64> = told["params"]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|told| told["range"]["start"]["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [2, 3], "{told}");
    let at = |character: u32| json!({ "textDocument": { "uri": uri }, "position": { "line": 2, "character": character } });
    // A file of the folder, and a shipped one, which is there to be opened then.
    let found = request(&mut editor, "textDocument/definition", &at(13));
    assert_eq!(found["uri"], format!("{root}/lib.ch"));
    let found = request(&mut editor, "textDocument/definition", &at(5));
    let shipped = folder.join("grandstand/library/abalone/constants.ch");
    assert_eq!(found["uri"], format!("file://{}", shipped.display()));
    assert!(std::fs::read_to_string(shipped).unwrap().contains("let A_LOOK = 5 in"));
    assert_eq!(request(&mut editor, "shutdown", &Value::Null), Value::Null);
    editor.send(&json!({ "method": "exit" }));
    assert_eq!(editor.status(), Some(0));
}

#[test]
fn a_stream_that_breaks_off_or_is_none_ends_the_server() {
    let folder = Folder::new();
    let mut editor = start(&folder);
    editor.send_bytes(b"Content-Length: 100\r\n\r\n{");
    assert_eq!(editor.status(), Some(1));
    let mut editor = start(&folder);
    editor.send_bytes(b"hello\r\n\r\n");
    assert_eq!(editor.status(), Some(2));
}

/// Script of Neovim: opens the bot, waits for diagnostics, sends requests, and writes the answers.
const SCRIPT: &str = r#"
local function work()
vim.cmd("luafile " .. os.getenv("INIT"))
vim.cmd("edit bot.cl")
local out = { "FILETYPE " .. vim.bo.filetype .. " " .. vim.bo.omnifunc }
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 10)
local client = next(vim.lsp.buf_get_clients(0))
for _, told in ipairs(vim.diagnostic.get(0)) do
  table.insert(out, (told.lnum + 1) .. ":" .. (told.col + 1) .. " " .. told.message)
end
local function ask(method, line, character)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = line, character = character } }
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000) or {}
  return answers[client] and answers[client].result
end
local hover = ask("textDocument/hover", 3, 6)
table.insert(out, "HOVER " .. table.concat(vim.lsp.util.convert_input_to_markdown_lines(hover.contents), "\n"))
table.insert(out, "DEFINITION " .. ask("textDocument/definition", 4, 3).uri)
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "1" })
vim.wait(60000, function() return #vim.diagnostic.get(0) == 0 end, 10)
table.insert(out, "AFTER " .. #vim.diagnostic.get(0))
vim.fn.writefile(vim.split(table.concat(out, "\n"), "\n"), "told.txt")
end
local done, problem = pcall(work)
if done then vim.cmd("qa!") end
io.stderr:write(tostring(problem))
vim.cmd("cquit!")
"#;

#[test]
#[ignore = "needs Neovim"]
fn neovim_shows_what_is_wrong_and_what_is_asked() {
    let folder = Folder::new();
    let script = folder.file("script.lua", SCRIPT);
    // The lines that docs/EDITORS.md has for `init.lua`.
    let init = Path::new(env!("CARGO_MANIFEST_DIR")).join("../editors/neovim/grandstand.lua");
    folder.file(
        "bot.cl",
        "#include abalone/constants.ch\nlet live = rec live in fn x =>\n  let around = do A_SCN in\n  do (A_LOOK, 7);\n  live (x + )\nin\nlive 0\n",
    );
    let mut neovim = Command::new("nvim");
    neovim.args(["--headless", "--clean", "-n", "-c"]).arg(format!("luafile {}", script.display()));
    neovim.current_dir(folder.path()).env("INIT", init);
    let program = Path::new(GRANDSTAND).parent().unwrap();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(program.to_owned()).chain(std::env::split_paths(&paths));
    neovim.env("PATH", std::env::join_paths(paths).unwrap());
    for directory in ["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"] {
        neovim.env(directory, folder.path());
    }
    let output = neovim.stdin(Stdio::null()).output().expect("Neovim is installed");
    assert!(output.status.success(), "{output:?}");
    let told = std::fs::read_to_string(folder.join("told.txt"))
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    for expected in [
        "FILETYPE cl v:lua.vim.lsp.omnifunc",
        "3:19 nothing binds the name `A_SCN`: a thread that comes here is stuck, and ends; did you mean `A_SCAN`?",
        "4:6 this action is refused, and its thread ends there: A_LOOK takes a direction from 1 to 6, this is 7",
        "5:13 expected an expression, found `)`",
        "HOVER ```cl\nA_LOOK = 5\n```",
        "Looks along a line, in a direction from 1 (`R`) to 6 (`DR`).",
        "\nDEFINITION file://",
        "\nAFTER 0",
    ] {
        assert!(told.contains(expected), "{expected}\n\n{told}");
    }
}
