-- Neovim before 0.11, with the plugin nvim-lspconfig: run this file from init.lua. Since 0.11 no plugin is needed: lsp/kube_crd.lua.
local configs = require('lspconfig.configs')

configs.kube_crd = {
  default_config = {
    cmd = { 'kube-crd', 'server', '--stdio' },
    filetypes = { 'yaml', 'helm', 'yaml.helm-values', 'go' },
    root_dir = require('lspconfig.util').root_pattern('.kube-crd.yaml', '.git'),
    single_file_support = true,
    settings = { kubeCrd = vim.empty_dict() },
  },
}
require('lspconfig').kube_crd.setup({})
