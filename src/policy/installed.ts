/** The policy of this installation. The composition root and the commands import it; everything else is given it. */
export { ee as policy } from './ee.ts';
