/** The policy of this installation. Only the composition root and the commands import it; it is passed to everything else. */
export { ee as policy } from './ee.ts';
