-- What the tests do in Neovim: keys and commands that a user has, and what is then to be seen. Results are JSON.
Asked = {}

function Asked.open(file)
  vim.cmd.edit(file)
end

function Asked.cursor(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
end

function Asked.text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

function Asked.problems()
  return vim.tbl_map(function(one)
    return one.message
  end, vim.diagnostic.get(0))
end

function Asked.hover()
  vim.lsp.buf.hover()
end

function Asked.card()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
    end
  end
  return ''
end

function Asked.apply(title)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.title == title
    end,
  })
end

function Asked.rename(name)
  vim.lsp.buf.rename(name)
end

function Asked.complete()
  vim.api.nvim_input('o<C-x><C-o>')
end

function Asked.offered()
  return vim.tbl_map(function(one)
    return one.word
  end, vim.fn.complete_info({ 'items' }).items)
end

function Asked.leave()
  vim.api.nvim_input('<C-e><Esc>')
end

function Asked.show_hints()
  vim.lsp.inlay_hint.enable(true)
end

function Asked.hints()
  return vim.tbl_map(function(one)
    local label = one.inlay_hint.label
    return type(label) == 'string' and label or label[1].value
  end, vim.lsp.inlay_hint.get({ bufnr = 0 }))
end

function Asked.replace(from, to)
  local text = Asked.text()
  local start, finish = text:find(from, 1, true)
  vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(text:sub(1, start - 1) .. to .. text:sub(finish + 1), '\n'))
end
