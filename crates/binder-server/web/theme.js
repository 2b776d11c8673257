/** What must be known before anything is painted: the theme that the reader chose, and the start. */
{
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept;
  if (/^(#\/?)?(\?.*)?$/.test(location.hash)) document.documentElement.dataset.start = "";
}
