import { requireNone } from '../../../operations/refusal.ts';
import { transferDomain } from '../../../registry/transfers/transfer-domain.ts';
import { readLastTransfer } from '../../../registry/transfers/transfer-records.ts';
import { readEisData } from '../extensions/eis.ts';
import { readAgreedFee } from '../extensions/fee.ts';
import { refusal, refuse } from '../frame-refusals.ts';
import { type Markup, xml } from '../xml/write.ts';
import { type Call, type ObjectHandler, shownName, shownRegistrar, shownTime } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readName } from './domain-name.ts';

const OPERATIONS = ['request', 'query', 'approve', 'reject', 'cancel'] as const;

/** A transfer with the right code is done at once, so that there is never one to approve, reject or cancel. */
export const transferDomainByEpp: ObjectHandler = {
  extensions: ['fee:transfer', 'eis:extdata'],
  async handle(call) {
    const { element, verbElement, reader, extension, database, policy, context } = call;
    const operation = reader.choice(verbElement, 'op', OPERATIONS, 'query');
    if (verbElement.attributes.op === undefined) reader.refuse('elementMissing', verbElement);
    const read = reader.children(element, {
      ...({ name: 'one', period: 'maybe', authInfo: 'maybe' } as const),
    });
    const name = readName(read.name, reader, policy);
    // Net::EPP always sends a period, which is 0 if none was asked for.
    if (read.period && reader.optionalText(read.period) !== '0')
      reader.refuse('unimplementedOption', read.period);
    const code = reader.authInfo(read.authInfo, ['transferCode']);
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    const fee = readAgreedFee(extension('fee:transfer'), reader, policy);
    if (operation === 'request' && code === undefined)
      reader.refusals.push(refusal('elementMissing', { field: 'domain:authInfo' }));
    requireNone(reader.refusals);
    if (operation === 'approve' || operation === 'reject' || operation === 'cancel') refuse('notPending');
    if (operation === 'query')
      return {
        code: 1000,
        data: transferInfo(await readLastTransfer(database, { name, code }, context), call),
      };
    await transferDomain(database, { name, transferCode: code ?? '' }, changeContext(call, eis, fee));
    // The transfer is done: a failure from here on must not be answered as its own.
    const done = await readLastTransfer(database, { name, code: undefined }, context).catch(() => undefined);
    return { code: 1000, data: done && transferInfo(done, call) };
  },
};

type ShownTransfer = {
  readonly name: string;
  readonly losing: string;
  readonly gaining: string;
  readonly transferredAt: Date | string;
  readonly expireTime: Date | string;
};

export function transferInfo(
  { name, losing, gaining, transferredAt, expireTime }: ShownTransfer,
  call: Pick<Call, 'namespace' | 'dialect' | 'policy'>,
): Markup {
  const at = shownTime(transferredAt, call);
  return xml`<domain:trnData xmlns:domain="${call.namespace}"><domain:name>${shownName(name, call)}</domain:name><domain:trStatus>serverApproved</domain:trStatus><domain:reID>${shownRegistrar(gaining, call)}</domain:reID><domain:reDate>${at}</domain:reDate><domain:acID>${shownRegistrar(losing, call)}</domain:acID><domain:acDate>${at}</domain:acDate><domain:exDate>${shownTime(expireTime, call)}</domain:exDate></domain:trnData>`;
}
