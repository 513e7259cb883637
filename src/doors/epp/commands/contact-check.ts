import { requireNone } from '../../../operations/refusal.ts';
import { isLengthWithin } from '../../../platform/values/normalise-text.ts';
import { checkContactCodes } from '../../../registry/contacts/check-codes.ts';
import { refusal } from '../frame-refusals.ts';
import { xml } from '../xml/write.ts';
import { codeLengthOf, isShownCode, type ObjectHandler, statementsFor } from './object-handler.ts';

const MAX_CODES = 1_000;

export const checkContacts: ObjectHandler = {
  extensions: [],
  async handle({ element, namespace, dialect, reader, database, policy, context }) {
    const { id: elements } = reader.children(element, { id: 'list' });
    const codes = elements.map((each) => {
      const code = reader.text(each);
      if (!isShownCode(code, { dialect })) reader.wrong(each, codeLengthOf({ dialect }));
      else if (!isLengthWithin(code, { max: policy.contacts.codeLength }))
        reader.wrong(each, `of at most ${policy.contacts.codeLength} characters`);
      return code;
    });
    if (codes.length === 0) reader.refusals.push(refusal('elementMissing', { field: 'contact:id' }));
    if (codes.length > MAX_CODES) reader.outOfRange(element, `of at most ${MAX_CODES} codes`);
    requireNone(reader.refusals);
    const checks = await checkContactCodes(
      statementsFor(codes.length, database, context),
      codes,
      policy,
      context.principal,
    );
    const results = checks.map(
      ({ code, available }) =>
        xml`<contact:cd><contact:id avail="${available ? 1 : 0}">${code}</contact:id></contact:cd>`,
    );
    return {
      code: 1000,
      data: xml`<contact:chkData xmlns:contact="${namespace}">${results}</contact:chkData>`,
    };
  },
};
