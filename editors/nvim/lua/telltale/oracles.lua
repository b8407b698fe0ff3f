--- Inner oracles in Neovim: how a value is checked, when and in which test, chosen one after the other; and those that
--- there are, to go to and to remove. What there is the server says.
local M = {}

--- Has somebody pick one of `entries`, each `{ words, means }`; `done` gets what it means, and is not called for nothing.
local function pick(prompt, entries, done)
  local words = function(entry)
    return entry[1]
  end
  vim.ui.select(entries, { prompt = prompt, format_item = words, kind = 'telltale' }, function(entry)
    if entry then
      done(entry[2])
    end
  end)
end

local function input(prompt, default, done)
  vim.ui.input({ prompt = prompt, default = default }, function(text)
    if text and text ~= '' then
      done(text)
    end
  end)
end

local function what(choices, done)
  if not choices.takesStatements then
    return done('tell')
  end
  local name = choices.name
  pick(('Check %s: what of it?'):format(name), {
    { ('What %s is: the first run tells it'):format(name), 'tell' },
    { ('A condition, as %s'):format(choices.condition), 'that' },
    { 'That this place runs', 'ran' },
    { 'That this place does not run', 'never' },
  }, function(means)
    if means ~= 'that' then
      return done(means)
    end
    input(('What holds of %s? '):format(name), choices.condition, function(condition)
      done({ that = condition })
    end)
  end)
end

local function turn(choices, chosen, done)
  -- That a place runs or does not is no matter of one time.
  if not choices.inLoop or chosen == 'ran' or chosen == 'never' then
    return done(nil)
  end
  pick(('Check %s: in a loop it is there several times'):format(choices.name), {
    { 'The last time', 'last' },
    { 'The first time', 'first' },
    { 'Each time', 'every' },
    { 'Another time', 'nth' },
  }, function(means)
    if means ~= 'nth' then
      return done(means)
    end
    input(('Which time is %s checked? '):format(choices.name), '2', done)
  end)
end

local function test(choices, done)
  local entries = {}
  for _, it in ipairs(choices.tests) do
    -- `demo.StatsTest#mixedSigns()`
    local name = it.test[2]:gsub('%(.*', ''):gsub('^.*%.', ''):gsub('#', '.')
    entries[#entries + 1] = { name .. (it.runs and ', which runs it' or ''), it.test }
  end
  local known = choices.tests[1] and choices.tests[1].runs
  if known and #entries == 1 then
    return done(entries[1][2])
  end
  local prompt = known and 'Check %s: in which test?' or 'No test is known to run %s: in which is it checked?'
  pick(prompt:format(choices.name), entries, done)
end

--- What goes to `telltale.inner`, by way of what the server answers to `telltale.inner.choices`.
function M.choose(choices, done)
  what(choices, function(chosen)
    turn(choices, chosen, function(time)
      test(choices, function(name)
        done(vim.tbl_extend('error', choices.check, { what = chosen, turn = time, test = name }))
      end)
    end)
  end)
end

--- Both sides of all oracles, for the location list.
function M.items(oracles, encoding)
  local items = {}
  local function add(places, words)
    for _, item in ipairs(vim.lsp.util.locations_to_items(places, encoding)) do
      items[#items + 1] = vim.tbl_extend('force', item, { text = words })
    end
  end
  for _, oracle in ipairs(oracles) do
    add(oracle.code, oracle.name)
    add(oracle.tests, 'switches on ' .. oracle.name)
  end
  return items
end

--- Has somebody pick one, or all; `done` gets the names, none of which are all.
function M.choose_removed(oracles, done)
  local entries = {}
  for _, oracle in ipairs(oracles) do
    entries[#entries + 1] = { oracle.name, { oracle.name } }
  end
  if #entries > 1 then
    entries[#entries + 1] = { 'All of them', {} }
  end
  pick('Which inner oracle goes?', entries, done)
end

return M
