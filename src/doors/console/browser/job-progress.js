// @ts-check
/// <reference lib="dom" />
// Shows the present state of a job that is not over. Without scripts a link does.

const INTERVAL_MS = 2_000;

if (document.querySelector('[data-running]')) {
  const timer = setTimeout(() => location.reload(), INTERVAL_MS);
  // It must not take the place of where a click leads.
  addEventListener('beforeunload', () => clearTimeout(timer));
}
