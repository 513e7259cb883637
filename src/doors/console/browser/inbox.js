// j and k move through the messages.
const items = [...document.querySelectorAll('.inbox a.item')];
const isTyping = (element) => element.matches('input:not([type=checkbox]), select, textarea');

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (event.key === 'j') move(1);
  if (event.key === 'k') move(-1);
});

function move(step) {
  const seen = items.filter((item) => !item.closest('details:not([open]) > ul'));
  const at = seen.findIndex((item) => item === document.activeElement || isOpen(item));
  const focused = seen.indexOf(document.activeElement);
  seen[(focused >= 0 ? focused : at) + step]?.focus();
}

function isOpen(item) {
  return item.getAttribute('aria-current') === 'true';
}
