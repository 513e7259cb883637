import type { Command } from 'commander';
import { wallClock } from '../platform/clock/clock.ts';
import { rebuildByOperator } from '../registry/zones/rebuild-by-operator.ts';
import { changing, printResult } from './terminal/changing.ts';
import { type Operating, operating, withOperator } from './terminal/operate.ts';
import { withProgress } from './terminal/progress.ts';
import { zoneNamed } from './zone-names.ts';

export function addRebuildCommand(command: Command): void {
  changing(operating(command.command('rebuild <zone>'), rebuildByOperator))
    .description('publish every difference that a check finds, as one serial')
    .action((text: string, options: Operating) =>
      withOperator(options, async ({ run }) => {
        const { origin: zone } = zoneNamed(text);
        // Serials follow the wall clock: secondaries do not know that of a sandbox.
        const rebuild = () => run(rebuildByOperator, { zone, publishedAt: wallClock.now() });
        const { serial, owners } = await withProgress(`rebuilding ${zone}`, rebuild);
        const changed = owners === 1 ? `1 name of ${zone} was` : `${owners} names of ${zone} were`;
        const sentence =
          serial === undefined
            ? `${zone} was as its domains say.`
            : `${changed} changed, by serial ${serial}.`;
        printResult(options, sentence, { zone, serial: serial ?? null, owners });
      }),
    );
}
