/** The student's pages, which have a navigation bar at the bottom of the phone. */
export const STUDENT_PAGES = /^\/(aluno|agenda\/[^/]+)(\/|$)/;
