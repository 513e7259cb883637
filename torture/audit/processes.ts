import type { Finding } from '../../src/ledger/check-ledger.ts';
import type { Life } from '../node.ts';

/** No process of the product exits unless we stop it, whatever happens to its connections. */
export function auditProcesses(lives: readonly Life[]): Finding[] {
  return lives
    .filter(({ endedBy }) => endedBy === 'itself')
    .map(({ node, pid, said }) => ({
      finding: 'a process ended by itself',
      subject: `${node}, process ${pid}`,
      expected: 'it lives until it is killed or asked to stop',
      found: said,
    }));
}
