import { readFileSync } from 'node:fs';

/**
 * Loaded into a process before its own code (NODE_OPTIONS=--import=…): its wall clock is off by as many milliseconds as
 * the file CLOCK_SHIFT_FILE says, which is read again at SIGUSR2. Monotonic time runs on, as on a machine whose clock is set.
 */
const file = process.env.CLOCK_SHIFT_FILE;
if (file !== undefined) {
  const read = () => Number(readFileSync(file, 'utf8'));
  let shiftMs = read();
  process.on('SIGUSR2', () => {
    shiftMs = read();
  });
  const Unshifted = Date;
  class Shifted extends Unshifted {
    constructor(...given: [] | [number]) {
      super(...((given.length === 0 ? [Shifted.now()] : given) as [number]));
    }

    static override now(): number {
      return Unshifted.now() + shiftMs;
    }
  }
  globalThis.Date = Shifted as DateConstructor;
}
