// Search, and the list of versions. All else on the site is there without a script. What is searched is loaded when the
// field is first used; as a script, because a page that is opened from a disk may not read files.
(() => {
  const root = document.documentElement.dataset.root;
  const field = document.querySelector('.search input');
  const list = document.querySelector('.search ol');
  document.querySelector('.search').hidden = false;
  let sections;
  const load = (name, then) => {
    const script = document.createElement('script');
    script.src = root + name;
    script.onload = then;
    document.head.append(script);
  };
  globalThis.kubeCrdSearch = (all) => {
    sections = all.map(([page, anchor, title, heading, text]) => {
      return { href: root + page + (anchor ? `#${anchor}` : ''), title, heading, text, words: `${title} ${heading} ${text}`.toLowerCase() };
    });
  };
  const element = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });

  /** Sections that hold all words; first those that have them in their heading. */
  function found(wanted) {
    const worth = ({ title, heading, text }) =>
      wanted.reduce((sum, word) => {
        const inHeading = heading.toLowerCase().includes(word) ? 8 : title.toLowerCase().includes(word) ? 4 : 0;
        return sum + inHeading + Math.min(text.toLowerCase().split(word).length - 1, 3);
      }, 0);
    return sections
      .filter(({ words }) => wanted.every((word) => words.includes(word)))
      .map((section) => ({ section, worth: worth(section) }))
      .sort((a, b) => b.worth - a.worth)
      .slice(0, 20)
      .map(({ section }) => section);
  }

  function row({ href, title, heading, text }, word) {
    const near = text.toLowerCase().indexOf(word) - 50;
    // From the beginning of a word.
    const at = near > 0 ? text.indexOf(' ', near) + 1 : 0;
    const link = Object.assign(document.createElement('a'), { href });
    link.append(heading === title ? title : `${heading} · ${title}`, element('small', `${at > 0 ? '… ' : ''}${text.slice(at, at + 150)}`));
    const item = document.createElement('li');
    item.append(link);
    return item;
  }

  function search() {
    const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = wanted.length === 0;
    if (!sections || wanted.length === 0) return;
    const rows = found(wanted).map((section) => row(section, wanted[0]));
    const nothing = document.createElement('li');
    nothing.append(element('p', 'Nothing is found.'));
    list.replaceChildren(...(rows.length > 0 ? rows : [nothing]));
  }

  field.addEventListener('focus', () => load('search.js', search), { once: true });
  field.addEventListener('input', search);
  document.querySelector('.search').addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      field.value = '';
      search();
      field.focus();
    } else if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus();
    else if (event.key === 'Enter' && at === -1) links[0]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    field.focus();
  });
})();
