/**
 * One segment of a path. An empty one would address the list instead of an object of it, and proxies resolve
 * dots before the registry sees them.
 */
export function segment(value) {
    const text = String(value);
    if (text === '' || text === '.' || text === '..')
        throw new TypeError(`${JSON.stringify(text)} cannot name an object`);
    return encodeURIComponent(text);
}
export function queryText(query) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query))
        if (value !== undefined)
            parameters.set(name, String(value));
    const text = parameters.toString();
    return text === '' ? '' : `?${text}`;
}
