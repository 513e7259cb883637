import { requireNone } from '../../../operations/refusal.ts';
import { answerOf } from '../../../operations/run-operation.ts';
import { deleteDomain } from '../../../registry/domains/delete-domain.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { readEisData } from '../extensions/eis.ts';
import { type ObjectHandler, successCode } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { readName } from './domain-name.ts';

/** Unless the attribute `verified` of the dialect of .ee says otherwise, the registrant is asked first: 1001. */
export const deleteDomainByEpp: ObjectHandler = {
  extensions: ['eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy } = call;
    const name = readName(reader.children(element, { name: 'one' }).name, reader, policy);
    const verified = reader.choice(element, 'verified', ['yes', 'no'], 'no') === 'yes';
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    requireNone(reader.refusals);
    const context = changeContext(call, eis);
    const deletion = { name, verified, transferCode: undefined };
    const outcome = await runRegistryOperation(database, deleteDomain, deletion, context);
    return { code: successCode(answerOf(outcome)) };
  },
};
