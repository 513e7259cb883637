/** The step of a form that the list of domains sends. */
export const SELECTED = 'selected';
