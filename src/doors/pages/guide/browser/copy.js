// Adds a button to each block of code that copies it. Without a script, or where the page may not write to the clipboard,
// there is none.
if (navigator.clipboard) {
  for (const block of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.textContent.trim());
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Not copied';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    const frame = document.createElement('div');
    frame.className = 'copyable';
    block.before(frame);
    frame.append(block, button);
  }
}
