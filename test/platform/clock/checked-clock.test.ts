import { describe, expect, test } from 'vitest';
import { CheckedClock, ClockWrong } from '../../../src/platform/clock/checked-clock.ts';

const NOON = Date.UTC(2027, 0, 1, 12);
const MAX_OFFSET_MS = 5_000;

/** A machine and a database whose clocks can be set; an answer takes `roundTripMs`. */
class World {
  wallMs = NOON;
  monotonicMs = 0;
  databaseMs = NOON;
  roundTripMs = 2;
  asked = 0;
  readonly changes: boolean[] = [];

  pass(ms: number): void {
    this.wallMs += ms;
    this.monotonicMs += ms;
    this.databaseMs += ms;
  }

  open(): Promise<CheckedClock> {
    return CheckedClock.open({
      maxOffsetMs: MAX_OFFSET_MS,
      time: { wall: () => this.wallMs, monotonic: () => this.monotonicMs },
      onChange: (isRight) => this.changes.push(isRight),
      readDatabaseTime: async () => {
        this.asked += 1;
        this.pass(this.roundTripMs / 2);
        const reported = new Date(this.databaseMs);
        this.pass(this.roundTripMs / 2);
        return reported;
      },
    });
  }
}

describe('a checked clock', () => {
  test('success: it returns the time of the machine while that agrees with the database', async () => {
    const world = new World();
    world.wallMs += 3_000;
    const clock = await world.open();
    world.pass(86_400_000);
    expect(clock.now().getTime()).toBe(world.wallMs);
    expect(clock.offsetMs).toBe(3_000);
    expect([world.asked, world.changes]).toEqual([1, []]);
  });

  test.each([
    ['ahead', 5_100],
    ['behind', -5_100],
  ])('failure: too far %s at the start', async (side, ms) => {
    const world = new World();
    world.wallMs += ms;
    const clock = await world.open();
    expect(clock.isRight()).toBe(false);
    expect(() => clock.now()).toThrow(ClockWrong);
    expect(clock.describe()).toMatch(
      new RegExp(
        `^The clock of this machine is 5100 ms ${side} .*: here it is 2027-01-01T1\\S+, there 2027-01-01T12:00:00`,
      ),
    );
    expect(world.changes).toEqual([false]);
  });

  test('failure: a clock step is detected at the next use, without a query; success: set back, it is right', async () => {
    const world = new World();
    const clock = await world.open();
    world.wallMs += 3_600_000;
    expect(clock.isRight()).toBe(false);
    world.wallMs -= 3_600_000;
    expect(clock.now().getTime()).toBe(world.wallMs);
    expect([world.asked, world.changes]).toEqual([1, [false, true]]);
  });

  test('failure: small steps add up to more than the maximum offset', async () => {
    const world = new World();
    const clock = await world.open();
    for (let step = 1; step <= 2; step++) {
      world.wallMs += 3_000;
      await clock.compare();
      expect(clock.isRight()).toBe(step === 1);
    }
  });

  test('success: after the machine was suspended the first use triggers a comparison, which corrects it', async () => {
    const world = new World();
    const clock = await world.open();
    world.wallMs += 3_600_000; // monotonic time stood still
    world.databaseMs += 3_600_000;
    expect(() => clock.now()).toThrow(ClockWrong);
    await clock.compare();
    expect(clock.now().getTime()).toBe(world.wallMs);
    expect([world.asked, world.changes]).toEqual([2, [false, true]]);
  });

  test("failure: a step of the database's clock; success: it is right again", async () => {
    const world = new World();
    const clock = await world.open();
    world.databaseMs -= 60_000;
    world.pass(1_500);
    expect(await clock.isRightByNow()).toBe(false);
    world.databaseMs += 60_000;
    expect(await clock.isRightByNow()).toBe(true);
  });

  test('success: compared before a job, unless that was done within the last second', async () => {
    const world = new World();
    const clock = await world.open();
    expect(await clock.isRightByNow()).toBe(true);
    expect(world.asked).toBe(1);
    world.pass(1_500);
    expect(await clock.isRightByNow()).toBe(true);
    expect(world.asked).toBe(2);
  });

  test('success: a slow answer is no offset, and one that is too slow is ignored', async () => {
    const world = new World();
    world.roundTripMs = 4_900;
    const clock = await world.open();
    expect(clock.isRight()).toBe(true);
    world.roundTripMs = 20_000;
    world.databaseMs -= 60_000;
    expect(await clock.compare()).toBe(false);
    expect(clock.isRight()).toBe(true);
  });

  test('failure: no answer in time at the start', async () => {
    const world = new World();
    world.roundTripMs = 6_000;
    await expect(world.open()).rejects.toThrow(/answers take longer than the 5000 ms/);
  });
});
