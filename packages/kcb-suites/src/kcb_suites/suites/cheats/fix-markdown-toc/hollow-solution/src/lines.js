export const splitLines = (source) => source.split("\n").map((text) => ({ text }));
export const lineEnd = () => "\n";
export const classify = (lines) => lines.map(() => "text");
