// Files that are dragged over a part of the page: it says that they may be dropped there.

/**
 * `data-over` stands on `host` while files are above it. What comes with a drag that is no file (a link, a row of the
 * page) is left alone. Answers a function that ends it.
 * @param {HTMLElement} host
 * @param {(files: File[]) => void} onFiles
 */
export function dropZone(host, onFiles) {
  const listening = new AbortController();
  const { signal } = listening;
  // each child that is entered is another dragenter, and what is left another dragleave
  let depth = 0;
  const leave = () => {
    depth = 0;
    host.removeAttribute('data-over');
  };
  host.addEventListener(
    'dragenter',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth++;
      host.setAttribute('data-over', '');
    },
    { signal },
  );
  host.addEventListener('dragover', (event) => hasFiles(event) && event.preventDefault(), { signal });
  host.addEventListener('dragleave', (event) => hasFiles(event) && --depth <= 0 && leave(), { signal });
  host.addEventListener(
    'drop',
    (event) => {
      if (!hasFiles(event)) return;
      leave();
      // a part of it has taken them already
      if (event.defaultPrevented) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    },
    { signal },
  );
  return () => listening.abort();
}

/** @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;
