import { requireNone } from '../../../operations/refusal.ts';
import { checkNames, type NameCheck, type Unavailable } from '../../../registry/names/availability.ts';
import { MAX_PRICES } from '../command-cost.ts';
import { answerFeeCheck, readFeeCheck } from '../extensions/fee.ts';
import { refusal } from '../frame-refusals.ts';
import type { Dialect } from '../namespaces.ts';
import { xml } from '../xml/write.ts';
import { type ObjectHandler, statementsFor } from './object-handler.ts';
import { readNameText } from './domain-name.ts';

/** All names of a command are one query. */
const MAX_NAMES = 1_000;

/** Of at most 32 characters, as the schema allows. */
const REASONS: Readonly<Record<Unavailable, string>> = {
  'in use': 'in use',
  blocked: 'Blocked',
  reserved: 'Reserved: needs a code',
  disputed: 'Disputed: needs a code',
  zone: 'Zone with the same origin exists',
  invalid: 'invalid format',
};

export const checkDomains: ObjectHandler = {
  extensions: ['fee:check'],
  async handle({ element, namespace, dialect, reader, extension, database, context }) {
    const { name: elements } = reader.children(element, { name: 'list' });
    const names = elements.map((each) => readNameText(each, reader));
    if (names.length === 0) reader.refusals.push(refusal('elementMissing', { field: 'domain:name' }));
    if (names.length > MAX_NAMES) reader.outOfRange(element, `of at most ${MAX_NAMES} names`);
    const fees = readFeeCheck(extension('fee:check'), reader);
    if (names.length * (fees?.commands.length ?? 0) > MAX_PRICES)
      reader.outOfRange(element, `of at most ${MAX_PRICES} prices`);
    requireNone(reader.refusals);
    const db = statementsFor(names.length, database, context);
    const checks = await checkNames(db, names, context);
    const results = checks.map((check, index) => {
      const isAvailable = check.available || isOffered(check, dialect);
      const reason = !isAvailable && check.reason && REASONS[check.reason];
      return xml`<domain:cd><domain:name avail="${isAvailable ? 1 : 0}">${names[index]}</domain:name>${
        reason && xml`<domain:reason>${reason}</domain:reason>`
      }</domain:cd>`;
    });
    return {
      code: 1000,
      data: xml`<domain:chkData xmlns:domain="${namespace}">${results}</domain:chkData>`,
      extensions: [fees && (await answerFeeCheck(db, fees, names, checks, context))],
    };
  },
};

/** To clients of the dialect of .ee a name that needs a code is available, as they have always been told. */
const isOffered = ({ reason }: NameCheck, dialect: Dialect): boolean =>
  dialect === 'ee' && (reason === 'reserved' || reason === 'disputed');
