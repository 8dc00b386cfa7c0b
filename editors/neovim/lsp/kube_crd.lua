-- Neovim 0.11 or newer. Put this file into ~/.config/nvim/lsp/, and into init.lua: vim.lsp.enable('kube_crd')
-- Settings are changed with vim.lsp.config('kube_crd', { settings = { kubeCrd = { … } } }).
---@type vim.lsp.Config
return {
  cmd = { 'kube-crd', 'server', '--stdio' },
  filetypes = { 'yaml', 'helm', 'yaml.helm-values', 'go' },
  root_markers = { '.kube-crd.yaml', '.git' },
  -- Without a root, files are still checked, but CRDs are found only in files that are open.
  single_file_support = true,
  settings = { kubeCrd = vim.empty_dict() },
}
