import type { DatabaseTarget } from '../src/platform/database/database.ts';
import type { Server } from './servers.ts';
import type { World } from './world.ts';

export type Place = {
  readonly port: number;
  readonly database: DatabaseTarget;
  /** The same registry, over TLS. */
  readonly secure: Server;
};
/** One figure of a work, and the most it may be. */
export type Figure = {
  readonly work: string;
  readonly what: string;
  readonly value: number;
  readonly most: number;
};
/** Something that takes long by itself: not how often it can be done is measured, but how long it takes. */
export type Work = {
  readonly name: string;
  readonly run: (place: Place, world: World, progress: (text: string) => void) => Promise<readonly Figure[]>;
};
