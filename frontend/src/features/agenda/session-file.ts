import { http } from '../../lib/http.js';
import { saveFile } from '../../lib/save-file.js';
import { attempt } from '../../ui/toast.js';

const save = (path: string, name: string) =>
  attempt(async () => saveFile(await http.file(`${path}/calendar`), name), 'Erro ao baixar o arquivo');

/** Saves a session as a calendar file; `path` is the session's. */
export const saveSessionFile = (path: string) => save(path, 'sessao.ics');

/** Saves a series as a calendar file with repetition. */
export const saveSeriesFile = (id: string) => save(`/series/${id}`, 'horario-fixo.ics');
