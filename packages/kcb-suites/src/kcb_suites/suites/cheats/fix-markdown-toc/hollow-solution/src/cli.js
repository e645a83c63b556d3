export function main(files) {
  for (const file of files) console.log(`unchanged ${file}`);
  return 0;
}
