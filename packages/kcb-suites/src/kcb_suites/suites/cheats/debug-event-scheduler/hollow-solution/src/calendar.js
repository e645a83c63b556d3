export class Calendar {
  isHoliday() {
    return false;
  }
}
