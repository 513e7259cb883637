import { Refused, requireNone } from '../../../operations/refusal.ts';
import { parseDay } from '../../../platform/values/dates.ts';
import { dayOfUtcDate, expiryAfterRenewal, monthsOf } from '../../../registry/domains/rules/periods.ts';
import { renewDomain } from '../../../registry/domains/renew-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { readEisData } from '../extensions/eis.ts';
import { chargedFee, readAgreedFee } from '../extensions/fee.ts';
import { xml } from '../xml/write.ts';
import { type Call, type ObjectHandler, shownName, shownTime } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readName } from './domain-name.ts';
import { readPeriod } from './period.ts';

export const renewDomainByEpp: ObjectHandler = {
  extensions: ['fee:renew', 'eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy, namespace } = call;
    const read = reader.children(element, {
      ...({ name: 'one', curExpDate: 'one', period: 'maybe' } as const),
    });
    const name = readName(read.name, reader, policy);
    // A date of XML Schema may have a time zone.
    const given = reader.text(read.curExpDate, ['expiry']).replace(/Z$/, '');
    if (given !== '' && !parseDay(given)) reader.wrong(read.curExpDate, 'a day yyyy-mm-dd');
    const { count, unit } = readPeriod(read.period, reader, ['period']);
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    const fee = readAgreedFee(extension('fee:renew'), reader, policy);
    requireNone(reader.refusals);
    const months = monthsOf(count, unit);
    const context = changeContext(call, eis, fee);
    const expDate = await renewOn(daysMeant(given, call), (day) =>
      runRegistryOperation(database, renewDomain, { name, months, expDate: day }, context),
    );
    const expiry = expiryAfterRenewal(expDate, months, policy);
    return {
      code: 1000,
      data: xml`<domain:renData xmlns:domain="${namespace}"><domain:name>${shownName(name, call)}</domain:name><domain:exDate>${shownTime(expiry, call)}</domain:exDate></domain:renData>`,
      extensions: [fee && (await chargedFee(database, 'renData', fee, context))],
    };
  },
};

/**
 * Clients send the date of the exDate that they were shown, which in the standard dialect is one of UTC, or the day in
 * the registry's zone. A renewal adds months, so that a day more or less cannot make it happen twice.
 */
const daysMeant = (date: string, { dialect, policy }: Call): readonly string[] =>
  dialect === 'ietf' ? [...new Set([dayOfUtcDate(date, policy), date])] : [date];

/** Renews with the first day that is the present expiry, and returns it. */
async function renewOn(
  [day = '', ...others]: readonly string[],
  renew: (day: string) => Promise<unknown>,
): Promise<string> {
  try {
    await renew(day);
    return day;
  } catch (error) {
    if (others.length === 0 || !(error instanceof Refused)) throw error;
    if (error.refusals.every(({ name }) => name !== 'expiryMismatch')) throw error;
    return renewOn(others, renew);
  }
}
