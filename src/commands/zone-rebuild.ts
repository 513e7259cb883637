import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { withDatabase } from '../app/with-database.ts';
import { wallClock } from '../platform/clock/clock.ts';
import type { Pool } from '../platform/sql/executor.ts';
import { policy } from '../policy/installed.ts';
import type { Zone } from '../policy/policy.ts';
import type { OperatorChange } from '../registry/operator-change.ts';
import { rebuildZone } from '../registry/zones/rebuild-zone.ts';
import type { WrittenZone } from '../registry/zones/zone-projection.ts';
import { listZones } from '../registry/zones/zone-view.ts';
import { type Changing, changing, printResult, withReason } from './terminal/changing.ts';
import { CommandError } from './terminal/output.ts';
import { withProgress } from './terminal/progress.ts';
import { zoneNamed } from './zone-names.ts';

/** Far more than the writer needs for one serial. The first publication of a large zone takes longer. */
const LOCK_TIMEOUT_MS = 30_000;
const LOCK_RETRY_INTERVAL_MS = 100;

export function addRebuildCommand(command: Command): void {
  changing(withReason(command.command('rebuild <zone>')))
    .description('publish every difference that a check finds, as one serial')
    .action((text: string, options: Changing) =>
      withDatabase(async ({ sql: db, change }) => {
        const zone = zoneNamed(text);
        const rebuild = () => rebuildUnlocked(db, zone, LOCK_TIMEOUT_MS, change(options.reason));
        const { serial, owners } = await withProgress(`rebuilding ${zone.origin}`, rebuild);
        const changed =
          owners === 1 ? `1 name of ${zone.origin} was` : `${owners} names of ${zone.origin} were`;
        const sentence =
          serial === undefined
            ? `${zone.origin} was as its domains say.`
            : `${changed} changed, by serial ${serial}.`;
        printResult(options, sentence, { zone: zone.origin, serial: serial ?? null, owners });
      }, options),
    );
}

/** Rebuilds a zone as soon as no other writer has it; fails if one has it for too long, or if the zone is frozen. */
export async function rebuildUnlocked(
  db: Pool,
  zone: Zone,
  timeoutMs: number,
  change?: OperatorChange,
): Promise<WrittenZone> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    // Serials follow the wall clock: secondaries do not know that of a sandbox.
    const written = await rebuildZone(db, zone, policy, wallClock.now(), change);
    if (written.prevented === undefined) return written;
    if (written.prevented === 'frozen') throw await frozenError(db, zone.origin);
    if (performance.now() >= deadline)
      throw new CommandError(
        `${zone.origin} was not rebuilt: its writer has been at work for ${timeoutMs / 1000} seconds. See: cadastre job show "publish zones"`,
      );
    await sleep(LOCK_RETRY_INTERVAL_MS);
  }
}

async function frozenError(db: Pool, origin: string): Promise<CommandError> {
  const frozenSince = (await listZones(db, policy)).find(({ zone }) => zone === origin)?.frozenSince;
  const since = frozenSince ? ` since ${frozenSince.toISOString()}` : '';
  return new CommandError(`${origin} is frozen${since}; thaw it first.`);
}
