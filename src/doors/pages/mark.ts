/** The mark: a plot of land divided into parcels, one of them entered in the register. */
export const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
<rect width="32" height="32" rx="4" fill="#0b4a7a"/>
<path d="M6 6h20v20H6zM6 14.5h12M18 6v20M18 18.5h8" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>
<path d="M9 17.5h6v5.5H9z" fill="#8cc8f5"/>
</svg>`;
