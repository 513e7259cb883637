import { allProcessorTime, familyProcessorTime, processorTime } from './machine.ts';

type Times = { readonly all: number; readonly own: number; readonly clock: number };

/** How many processors are busy with something that is not measured. */
export class OtherPrograms {
  readonly #pids: readonly number[];
  readonly #databasePid: number | undefined;
  readonly #before: Times;

  constructor(pids: readonly number[], databasePid: number | undefined) {
    this.#pids = [process.pid, ...pids];
    this.#databasePid = databasePid;
    this.#before = this.#times();
  }

  end(): number {
    const { all, own, clock } = this.#times();
    const { all: allBefore, own: ownBefore, clock: clockBefore } = this.#before;
    return (all - allBefore - (own - ownBefore)) / (clock - clockBefore);
  }

  #times(): Times {
    const sum = this.#pids.reduce((total, pid) => total + (processorTime(pid) ?? 0), 0);
    const database = this.#databasePid === undefined ? 0 : (familyProcessorTime(this.#databasePid) ?? 0);
    return { all: allProcessorTime() ?? 0, own: sum + database, clock: performance.now() / 1000 };
  }
}
