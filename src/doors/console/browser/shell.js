// Ctrl K leads to the search; menus close when something else is used.
const search = document.querySelector('.find input');

document.addEventListener('keydown', (event) => {
  if (search && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault();
    search.focus();
    search.select();
  }
  if (event.key === 'Escape') closeMenus();
});
document.addEventListener('click', ({ target }) => closeMenus(target));

function closeMenus(except) {
  for (const menu of document.querySelectorAll('.topbar details[open], .menu[open]'))
    if (!menu.contains(except ?? null)) menu.open = false;
}
