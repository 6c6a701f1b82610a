import type { Plugin, Rollup } from 'vite';
import { NARROW_PAGES, OPEN_PAGES } from './src/app/narrow.js';
import { STUDENT_DOORS, STUDENT_PAGES } from './src/lib/student-pages.js';

/** Modules that the entry imports as soon as it runs, by the ends of their paths (see `src/app/main.tsx`). */
const roots = {
  auth: ['/accounts/auth-page.tsx'],
  area: ['/app/trainer-area.tsx'],
  home: ['/app/pages/dashboard.tsx'],
  student: ['/app/student-area.tsx', '/app/pages/student-home.tsx'],
};

/**
 * A script that runs in the page before anything else. It redirects a student who opens `/` to the student's area
 * (`noteStudent`), starts to fetch the files of the first page, shows the header of the sign-in, or, if somebody is
 * signed in, the shape of the page (on the two homes with the date), and starts the entry after that has been painted.
 */
const script = `(function (files, entry) {
  var path = location.pathname;
  var known = false;
  try {
    var session = localStorage.getItem('rende.auth');
    known = session !== null;
    if (path + location.search === '/' && JSON.parse(session).user.id === localStorage.getItem('rende.student')) {
      path = '/aluno';
      history.replaceState(null, '', path);
    }
  } catch (error) {
    // Without storage, or with nobody signed in, the address decides.
  }
  var isOpen = ${OPEN_PAGES}.test(path);
  var isDoor = !isOpen && (path === '/auth' || !known);
  var isNarrow = ${NARROW_PAGES}.test(path);
  var wanted = isDoor ? files.auth : path === '/aluno' ? files.student : isNarrow ? [] : path === '/' ? files.area.concat(files.home) : files.area;
  var behind = path === '/auth' ? (/[?&]destino=([^&?]*)/.exec(location.search.replace(/%2F/gi, '/').replace(/%3F/gi, '?')) || [])[1] : path;
  if (isDoor && !known) document.documentElement.setAttribute('data-first', /[?&]de=aluno/.test(location.search) || ${STUDENT_DOORS}.test(behind) ? 'student' : '');
  else document.documentElement.setAttribute('data-shell', ${STUDENT_PAGES}.test(path) ? 'narrow student' : isNarrow ? 'narrow' : 'trainer');
  [entry].concat(wanted).forEach(function (file) {
    var link = document.createElement('link');
    link.crossOrigin = '';
    link.href = file;
    if (/css$/.test(file)) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    document.head.appendChild(link);
  });
  // The first formatter has the browser read what it knows of all languages: beside the styles that are still on their way.
  if (wanted.length > 0 && !isDoor) setTimeout(function () {
    var day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'full' }).format(new Date());
    if (path !== '/' && path !== '/aluno') return;
    if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', write);
    else write();
    function write() {
      var line = document.querySelector('.boot-date');
      if (line) line.textContent = path === '/' ? day.charAt(0).toUpperCase() + day.slice(1) : 'Hoje, ' + day;
    }
  });
  var begun = false;
  function begin() {
    if (begun) return;
    begun = true;
    var script = document.createElement('script');
    script.type = 'module';
    script.crossOrigin = '';
    script.src = entry;
    document.head.appendChild(script);
  }
  requestAnimationFrame(function () {
    setTimeout(begin);
  });
  // A window that nobody looks at paints nothing.
  if (document.visibilityState === 'hidden') begin();
  else document.addEventListener('visibilitychange', begin);
})`;

/** The file of the chunk and of its imports, scripts and styles. */
function filesOf(chunk: Rollup.OutputChunk, chunks: readonly Rollup.OutputChunk[], seen = new Set<string>()) {
  if (seen.has(chunk.fileName)) return seen;
  seen.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) seen.add(style);
  for (const imported of chunks.filter(({ fileName }) => chunk.imports.includes(fileName)))
    filesOf(imported, chunks, seen);
  return seen;
}

/** Fetches the font in parallel with the styles that name it. */
function fontPreload(files: readonly string[]) {
  const [font, ...others] = files.filter((file) => file.endsWith('.woff2'));
  if (!font || others.length > 0)
    throw new Error('the build has not one font, which index.html would preload');
  return { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` };
}

/** Makes the page fetch the parts of its first screen in parallel with the entry, which saves a round trip. */
export function preloads(): Plugin {
  return {
    name: 'rende:preloads',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const entry = chunks.find(({ isEntry }) => isEntry);
        const address = `/${entry?.fileName}`;
        const tag = html.split('\n').find((line) => line.includes(`src="${address}"`));
        if (!entry || !tag) throw new Error('index.html does not ask for the entry in a line of its own');
        const initial = filesOf(entry, chunks);
        const holding = (module: string) => {
          const found = chunks.find(({ moduleIds }) => moduleIds.some((path) => path.endsWith(module)));
          if (!found)
            throw new Error(`no chunk holds ${module}: frontend/preloads.ts names the first pages' parts`);
          return found;
        };
        const files = Object.entries(roots).map(([name, modules]) => [
          name,
          [...new Set(modules.flatMap((module) => [...filesOf(holding(module), chunks)]))]
            .filter((file) => !initial.has(file))
            .map((file) => `/${file}`),
        ]);
        const children = `${script}(${JSON.stringify(Object.fromEntries(files))}, ${JSON.stringify(address)});`;
        return {
          html: html.replace(tag, ''),
          tags: [
            { tag: 'link', attrs: fontPreload(Object.keys(bundle)), injectTo: 'head-prepend' },
            { tag: 'script', children, injectTo: 'head' },
          ],
        };
      },
    },
  };
}
