/** Says something to those who see the page and to those who hear it, until something else is said. */
export function say(text: string, isBad = false): void {
  const place = document.querySelector("#said");
  if (place !== null && place.textContent !== text) {
    place.classList.toggle("is-bad", isBad);
    place.textContent = text;
  }
}
