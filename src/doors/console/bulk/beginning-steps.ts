/** The step of a form that the list of domains sends. */
export const SELECTED = 'selected';
/** The step of a form that the page of a job sends. */
export const AGAIN = 'again';
