import { requireNone } from '../../../operations/refusal.ts';
import { deleteContact } from '../../../registry/contacts/delete.ts';
import { runRegistryOperation } from '../../../registry/run-operation.ts';
import { readEisData } from '../extensions/eis.ts';
import { refuse } from '../refusals.ts';
import { isShownCode, type ObjectHandler } from './call.ts';
import { withDocument } from './legal-document.ts';

export const deleteContactByEpp: ObjectHandler = {
  extensions: ['eis:extdata'],
  async handle(call) {
    const { element, reader, extension, database } = call;
    const { id, authInfo } = reader.children(element, { id: 'one', authInfo: 'maybe' });
    const code = reader.text(id, 'contact.id');
    reader.authInfo(authInfo);
    const { document } = readEisData(extension('eis:extdata'), reader);
    requireNone(reader.refusals);
    if (!isShownCode(code, call)) refuse('objectMissing');
    await runRegistryOperation(database, deleteContact, { code }, withDocument(call, document));
    return { code: 1000 };
  },
};
