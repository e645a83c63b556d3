export const outlook = () => [];
