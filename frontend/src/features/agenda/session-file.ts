import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { attempt } from '../../ui/toast.js';

/** Keeps a session as a file that calendars open; `path` is the session's. */
export const saveSessionFile = (path: string) =>
  attempt(
    async () => saveFile(await http.file(`${path}/calendar`), 'sessao.ics'),
    'Erro ao baixar o arquivo',
  );
