export const label = (text) => text;
export const plain = (text) => text;
