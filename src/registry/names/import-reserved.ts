import { operatorOperation } from '../../operations/operator-operation.ts';
import { persistRecorded } from '../../operations/record-history.ts';
import { requireNone } from '../../operations/refusal.ts';
import { refusal } from '../operator-refusals.ts';
import { findNameStates } from './availability.ts';
import { nameEntry } from './name-history.ts';
import { findReserved, insertReserved, newReservationCode } from './reserved-name.ts';

export type ImportedName = {
  readonly name: string;
  /** A random one if none is given. */
  readonly code?: string | undefined;
  readonly expiresAt: Date | null;
};

/** Reserves many names, all or none. Identical reservations are skipped, so an import can be repeated. */
export const importReserved = operatorOperation(
  {
    name: 'import reserved names',
    right: 'names',
    refusals: ['nameTwice', 'nameRegistered', 'importedNameReserved'],
  },
  {
    async load(db, items: readonly ImportedName[], { now }) {
      const names = items.map(({ name }) => name);
      const registered = (await findNameStates(db, names, now)).filter((state) => state.registered);
      return {
        registered: new Set(registered.map(({ name }) => name)),
        reserved: new Map((await findReserved(db, names, now)).map((reserved) => [reserved.name, reserved])),
      };
    },

    decide({ registered, reserved }, items) {
      const twice = [...Map.groupBy(items, ({ name }) => name)].filter(([, { length }]) => length > 1);
      requireNone(twice.map(([name]) => refusal('nameTwice', { name })));
      const fresh = items.filter(({ name, code, expiresAt }) => {
        const known = reserved.get(name);
        const isSame = known !== undefined && (code === undefined || code === known.code);
        return !isSame || known.expiresAt?.getTime() !== expiresAt?.getTime();
      });
      requireNone(
        fresh.flatMap(({ name }) => {
          if (registered.has(name)) return [refusal('nameRegistered', { name })];
          return reserved.has(name) ? [refusal('importedNameReserved', { name })] : [];
        }),
      );
      const names = fresh.map((item) => ({ ...item, code: item.code ?? newReservationCode() }));
      return { answer: { reserved: names.length, asBefore: items.length - names.length }, names };
    },

    persist(db, { answer, names }, context) {
      const changed = insertReserved(names, context.now);
      const entry = { ...nameEntry('reserve'), rows: names.length };
      return persistRecorded(db, { changed }, entry, { answer, context });
    },
  },
);
