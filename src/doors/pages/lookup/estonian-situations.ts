import type { LookupTexts } from './lookup-texts.ts';

const RENEWAL_LOCKED = 'Pikendamine on keelatud; kui see on Teie domeen, pöörduge oma registripidaja poole.';

export const estonianSituations: LookupTexts['situations'] = {
  working: [
    'Domeen on registreeritud ja tsoonis.',
    () => 'Veebileht ja e-post töötavad, kui domeeni nimeserverid vastavad.',
  ],
  unused: [
    'Domeen on registreeritud, kuid seda ei kasutata.',
    () => 'Domeenil ei ole nimeservereid, seega veebileht ja e-post selle nime all ei tööta.',
  ],
  held: [
    'Domeeni töö on peatatud.',
    () =>
      'Domeen on registreeritud, kuid veebileht ja e-post selle nime all ei tööta. Kui see on Teie domeen, küsige põhjust oma registripidajalt.',
  ],
  expired: [
    'Domeen on aegunud.',
    ({ outzone, deletion, isRenewable }) =>
      [
        ...(outzone || deletion ? [isRenewable ? 'Kui domeeni ei pikendata, siis see ' : 'Domeen '] : []),
        ...(outzone ? [`lakkab töötamast ${outzone}`] : []),
        ...(deletion ? [`${outzone ? ' ja ' : ''}kustutatakse ${deletion}`] : []),
        ...(outzone || deletion ? ['. '] : []),
        isRenewable ? 'Kui see on Teie domeen, paluge registripidajal seda pikendada.' : RENEWAL_LOCKED,
      ].join(''),
  ],
  stopped: [
    'Domeen on aegunud ja ei tööta enam.',
    ({ deletion, isGoingToBeDeleted, isRenewable, isHeldByRegistrar }) =>
      [
        !isGoingToBeDeleted
          ? 'Register on selle kustutamise keelanud. '
          : `${isRenewable ? 'Kui domeeni ei pikendata, siis see kustutatakse' : 'Domeen kustutatakse'}${deletion ? ` ${deletion}` : ''}. `,
        isRenewable ? 'Kui see on Teie domeen, paluge registripidajal seda pikendada' : RENEWAL_LOCKED,
        !isRenewable
          ? ''
          : isHeldByRegistrar
            ? '. Pikendamine ei lõpeta peatamist, seda saab teha ainult registripidaja: paluge mõlemat.'
            : ': siis hakkab see jälle tööle, kui domeen ei ole peatatud mõnel muul põhjusel.',
      ].join(''),
  ],
  redemption: [
    'Domeen on kustutatud, kuid selle saab veel taastada.',
    ({ deletion, isGoingToBeDeleted, isDelegated, isRenewable }) =>
      [
        isDelegated ? 'Domeen töötab veel' : 'Domeen ei tööta',
        isGoingToBeDeleted
          ? `${isDelegated ? ', kuid' : ' ja'} eemaldatakse lõplikult${deletion ? ` ${deletion}` : ''}. `
          : '. Register on selle eemaldamise keelanud. ',
        isRenewable
          ? `Kui see on Teie domeen ja soovite selle alles jätta, paluge registripidajal seda ${isGoingToBeDeleted ? 'enne ' : ''}pikendada.`
          : RENEWAL_LOCKED,
      ].join(''),
  ],
  forced: [
    'Register on alustanud domeeni kustutamist.',
    ({ deletion }) =>
      `${deletion ? `Domeen kustutatakse ${deletion}, kui põhjust enne seda ei kõrvaldata. ` : ''}Kui see on Teie domeen, on Teile põhjusest kirjaga teatatud; pöörduge kohe oma registripidaja poole.`,
  ],
  leaving: [
    'Domeen kustutatakse kohe.',
    ({ isDisputed }) =>
      `Domeen eemaldatakse ööpäeva jooksul ja seda ei saa enam päästa.${isDisputed ? '' : ' Seejärel saab nime uuesti registreerida.'}`,
  ],
};
