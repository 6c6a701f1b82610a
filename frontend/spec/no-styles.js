/** Stands in for every style sheet: returns each class name as it is, because a simulated page has no styles. */
export default {};
