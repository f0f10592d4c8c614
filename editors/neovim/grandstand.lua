-- Mistakes, hover (K), definitions (gd), completion (CTRL-X CTRL-O). Neovim 0.7 or later.
vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, {
  pattern = { "*.cl", "*.ch", "*.rcl", "*.rch" },
  callback = function(event)
    vim.bo[event.buf].filetype = event.match:match("%.rc[lh]$") and "rcl" or "cl"
    local client = vim.lsp.start_client({ cmd = { "grandstand", "lsp" }, root_dir = vim.fn.getcwd() })
    vim.lsp.buf_attach_client(event.buf, client)
    vim.keymap.set("n", "K", vim.lsp.buf.hover, { buffer = event.buf })
    vim.keymap.set("n", "gd", vim.lsp.buf.definition, { buffer = event.buf })
    vim.bo[event.buf].omnifunc = "v:lua.vim.lsp.omnifunc"
  end,
})

-- The debugger, with nvim-dap: `:DapContinue` in a bot plays it against a shipped one.
local found, dap = pcall(require, "dap")
if found then
  dap.adapters.grandstand = { type = "executable", command = "grandstand", args = { "debug", "--dap" } }
  for language, opponent in pairs({ cl = "team", rcl = "shark" }) do
    local match = { type = "grandstand", request = "launch", name = "Debug this match", cwd = "${workspaceFolder}" }
    match.players = { "${file}", opponent }
    dap.configurations[language] = { match }
  end
end
