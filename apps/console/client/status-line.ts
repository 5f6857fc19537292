/** Shows a status message and announces it to screen readers (aria-live), until the next one. */
export function showStatus(text: string, isBad = false): void {
  const place = document.querySelector("#said");
  if (place !== null && place.textContent !== text) {
    place.classList.toggle("is-bad", isBad);
    place.textContent = text;
  }
}
