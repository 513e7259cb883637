/** The step of a form that the list of domains sends. */
export const SELECTED = 'selected';
/** The step of a form that the page of a job sends. */
export const AGAIN = 'again';
/** The field with the job that is tried again, from the first form to the last. */
export const AGAIN_OF = 'againOf';
/** The same, to take its changes back. */
export const BACK = 'back';
