-- Neovim 0.11 and newer: `vim.lsp.enable('telltale')`.
return require('telltale').config()
