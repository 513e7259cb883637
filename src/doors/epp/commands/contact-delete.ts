import { requireNone } from '../../../operations/refusal.ts';
import { deleteContact } from '../../../registry/contacts/delete-contact.ts';
import { runRegistryOperation } from '../../../registry/run-registry-operation.ts';
import { readEisData } from '../extensions/eis.ts';
import { refuse } from '../frame-refusals.ts';
import { isShownCode, type ObjectHandler } from './object-handler.ts';
import { changeContext } from './change-context.ts';
import { meantCode } from './meant-contacts.ts';

export const deleteContactByEpp: ObjectHandler = {
  extensions: ['eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database, policy } = call;
    const { id, authInfo } = reader.children(element, { id: 'one', authInfo: 'maybe' });
    const given = reader.text(id, ['code']);
    reader.authInfo(authInfo);
    const eis = readEisData(extension('eis:extdata'), reader, policy);
    requireNone(reader.refusals);
    const code = await meantCode(call, given);
    if (!isShownCode(code, call)) refuse('objectMissing');
    await runRegistryOperation(database, deleteContact, { code }, changeContext(call, eis));
    return { code: 1000 };
  },
};
