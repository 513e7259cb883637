import type { OpenDoor } from '../doors/door.ts';
import type { DoorName } from './product-dependencies.ts';

type Name = DoorName | 'http' | 'pages' | 'sandbox' | 'metrics';

/** The doors that a process has opened: drained together, then closed in the reverse order. */
export class OpenDoors {
  readonly #doors = new Map<Name, OpenDoor>();

  add(name: Name, door: OpenDoor): void {
    this.#doors.set(name, door);
  }

  /** Undefined where it is not open, or has none of its own. */
  portOf(name: Name): number | undefined {
    return this.#doors.get(name)?.port;
  }

  urlOf(name: Name): string | undefined {
    return this.#doors.get(name)?.url;
  }

  async refresh(): Promise<void> {
    for (const door of this.#doors.values()) await door.refresh?.();
  }

  async reload(): Promise<void> {
    for (const door of this.#doors.values()) await door.reload?.();
  }

  forget(): void {
    for (const door of this.#doors.values()) door.forget?.();
  }

  /** One that fails does not keep the others open. */
  async close(): Promise<void> {
    const doors = [...this.#doors.values()];
    await using closing = new AsyncDisposableStack();
    for (const door of doors) closing.defer(async () => door.close?.());
    await Promise.all(doors.map((door) => door.drain?.()));
  }
}
