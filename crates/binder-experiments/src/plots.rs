//! Line and bar charts as SVG. The viewer lays out the text, so no font is needed here.

use std::io;
use std::ops::Range;

use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::Error;
use crate::stats::Stats;

/// One chart of lines. Panels of a figure with the same label of y share its range, and lines of
/// the same name have the same colour in all of them.
#[derive(Default)]
pub(crate) struct LinePanel {
    pub(crate) title: String,
    pub(crate) x_label: &'static str,
    pub(crate) y_label: &'static str,
    /// Whether the axis of y is logarithmic.
    pub(crate) logarithmic: bool,
    /// What such an axis begins with at least. Smaller values are drawn there.
    pub(crate) least: f64,
    /// The names of x = 0, 1, 2 …; empty if x is a plain number.
    pub(crate) ticks: Vec<String>,
    pub(crate) lines: Vec<Line>,
    /// Values to compare with, each with its name: thin lines across the chart.
    pub(crate) marks: Vec<(String, f64)>,
}

impl LinePanel {
    /// Where a value is on the axis of y.
    fn height(&self, y: f64) -> f64 {
        if self.logarithmic { y.max(self.least.max(LEAST)).log10() } else { y }
    }

    /// All heights that must be within the chart.
    fn heights(&self) -> impl Iterator<Item = f64> + '_ {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let ends = points.flat_map(|point| [point.y - point.sd, point.y + point.sd]);
        let marks = self.marks.iter().map(|(_, y)| *y);
        ends.filter(|y| !self.logarithmic || *y > 0.0 || self.least > 0.0)
            .chain(marks)
            .map(|y| self.height(y))
    }
}

/// The least value of any logarithmic axis.
const LEAST: f64 = 1e-6;

pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) points: Vec<Point>,
}

impl Line {
    /// A line with a point at each tick.
    pub(crate) fn over_ticks(name: &str, scores: &[Stats]) -> Self {
        let point = |(x, score): (u32, &Stats)| Point { x: x.into(), y: score.mean, sd: score.sd };
        Self { name: name.to_owned(), points: (0..).zip(scores).map(point).collect() }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// The length of the error bar up and down; of the band where x is a plain number.
    pub(crate) sd: f64,
}

/// One chart of groups of bars.
pub(crate) struct BarPanel {
    pub(crate) title: String,
    pub(crate) y_label: &'static str,
    pub(crate) groups: Vec<&'static str>,
    /// A name, and for each group a value if it has one.
    pub(crate) series: Vec<(String, Vec<Option<f64>>)>,
}

/// Colours that colour-blind readers can tell apart, in print too (Okabe & Ito).
pub(crate) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(140, 140, 140),
];

pub(crate) const FONT: &str = "sans-serif";
/// Width and height of a line panel in pixels, and the width of the key beside all panels.
const PANEL: (u32, u32) = (400, 300);
const KEY: u32 = 150;
/// Width and height of a bar panel, which needs room for the names of its groups.
const BAR_PANEL: (u32, u32) = (860, 320);

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The result of drawing something.
pub(crate) type Drawn = Result<(), DrawingAreaErrorKind<io::Error>>;

/// Draws on white and returns the SVG.
pub(crate) fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<String, Error> {
    let mut text = String::new();
    let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
    let drawn = area.fill(&WHITE).and_then(|()| draw(&area)).and_then(|()| area.present());
    // The text is complete when its area is gone.
    drop(area);
    drawn.map(|()| text).map_err(|error| Error::Drawing(error.to_string()))
}

/// Line panels, row by row, with one key for all of them on the right.
pub(crate) fn lines(panels: &[LinePanel], columns: usize) -> Result<String, Error> {
    let (rows, width) = (panels.len().div_ceil(columns), pixels(PANEL.0, columns));
    let mut names: Vec<&str> = Vec::new();
    for line in panels.iter().flat_map(|panel| &panel.lines) {
        if !names.contains(&&*line.name) {
            names.push(&line.name);
        }
    }
    svg((width + KEY, pixels(PANEL.1, rows)), |area| {
        let (charts, side) = area.split_horizontally(width);
        let areas = charts.split_evenly((rows, columns));
        for (area, panel) in areas.iter().zip(panels) {
            let alike = panels.iter().filter(|other| other.y_label == panel.y_label);
            let y = range(alike.flat_map(LinePanel::heights));
            line_panel(area, panel, y, &names)?;
        }
        line_key(&side, &names)
    })
}

/// The colour of a line by its name.
fn colour(name: &str, names: &[&str]) -> RGBColor {
    let place = names.iter().position(|other| *other == name).unwrap_or(0);
    COLOURS[place % COLOURS.len()]
}

/// Which line is which.
fn line_key(area: &Area<'_>, names: &[&str]) -> Drawn {
    for (y, name) in (46..).step_by(22).zip(names) {
        let stroke = colour(name, names).stroke_width(3);
        area.draw(&PathElement::new([(4, y), (22, y)], stroke))?;
        area.draw(&Text::new((*name).to_owned(), (30, y - 8), (FONT, 14)))?;
    }
    Ok(())
}

/// The length of so many panels in a row or column.
#[expect(clippy::cast_possible_truncation, reason = "a few panels")]
pub(crate) fn pixels(panel: u32, count: usize) -> u32 {
    panel * count as u32
}

fn line_panel(area: &Area<'_>, panel: &LinePanel, y: Range<f64>, names: &[&str]) -> Drawn {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    #[expect(clippy::cast_precision_loss, reason = "a few ticks")]
    let x = match panel.ticks.len() {
        0 => range(points().map(|p| p.x)),
        // Half a step of room keeps the outer ticks off the edge.
        ticks => -0.5..ticks as f64 - 0.5,
    };
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 17))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(x.clone(), y)?;
    let mut mesh = chart.configure_mesh();
    let tick = |x: &f64| tick(*x, &panel.ticks);
    let value = |y: &f64| match panel.logarithmic {
        true if 10f64.powf(*y) < 1.001 * panel.least => format!("≤ {}", panel.least),
        true => short(10f64.powf(*y)),
        false => short(*y),
    };
    mesh.x_desc(panel.x_label)
        .y_desc(panel.y_label)
        .label_style((FONT, 14))
        .light_line_style(WHITE);
    mesh.y_label_formatter(&value).x_label_formatter(&tick);
    // Ask for four labels a step, so that every named tick gets one. Those between stay blank.
    mesh.x_labels(if panel.ticks.is_empty() { 5 } else { 4 * panel.ticks.len() })
        .y_labels(6)
        .draw()?;
    let at = |point: &Point, sds: f64| (point.x, panel.height(point.y + sds * point.sd));
    for line in &panel.lines {
        let colour = colour(&line.name, names);
        let varied = || line.points.iter().filter(|point| point.sd > 0.0);
        if panel.ticks.is_empty() {
            let above = varied().map(|point| at(point, 1.0));
            let below: Vec<_> = varied().map(|point| at(point, -1.0)).collect();
            let band: Vec<_> = above.chain(below.into_iter().rev()).collect();
            chart.draw_series([Polygon::new(band, colour.mix(0.2))])?;
        } else {
            let bar = |point| PathElement::new([at(point, -1.0), at(point, 1.0)], colour);
            chart.draw_series(varied().map(bar))?;
            let dot = |point| Circle::new(at(point, 0.0), 3, colour.filled());
            chart.draw_series(line.points.iter().map(dot))?;
        }
        let path = line.points.iter().map(|point| at(point, 0.0));
        chart.draw_series(LineSeries::new(path, colour.stroke_width(2)))?;
    }
    for (name, y) in &panel.marks {
        let (y, colour) = (panel.height(*y), BLACK.mix(0.5));
        chart.draw_series([PathElement::new([(x.start, y), (x.end, y)], colour)])?;
        // Below its line and at its end: curves rise on the left, and end near the line or above.
        let right = Pos::new(HPos::Right, VPos::Top);
        let style = TextStyle::from((FONT, 12).into_font()).pos(right);
        let below = EmptyElement::at((x.end, y)) + Text::new(name.clone(), (-6, 10), style);
        chart.draw_series([below])?;
    }
    Ok(())
}

/// The key: which bar is which.
fn key<'a>(chart: &mut Chart<'a, 'a>, place: SeriesLabelPosition) -> Drawn {
    let mut labels = chart.configure_series_labels();
    labels
        .position(place)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .label_font((FONT, 12));
    labels.draw()
}

/// From the least value to the greatest, with a little room; never empty.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) =
        values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    if low > high {
        return 0.0..1.0;
    }
    let room = ((high - low) * 0.05).max(1e-3);
    low - room..high + room
}

/// The name of x if it is a tick, or the number if ticks have no names.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a small whole number"
)]
fn tick(x: f64, ticks: &[String]) -> String {
    if ticks.is_empty() {
        return short(x);
    }
    let whole = x >= -1e-9 && (x - x.round()).abs() < 1e-9;
    ticks.get(x.round().max(0.0) as usize).filter(|_| whole).cloned().unwrap_or_default()
}

/// 1.2 M for 1200000.
fn short(value: f64) -> String {
    match value.abs() {
        v if v > 0.0 && v < 0.01 => format!("{value:.1e}"),
        v if v >= 1e9 => format!("{} G", trimmed(value / 1e9)),
        v if v >= 1e6 => format!("{} M", trimmed(value / 1e6)),
        v if v >= 1e4 => format!("{} k", trimmed(value / 1e3)),
        _ => trimmed(value),
    }
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bar panels, one below the other.
pub(crate) fn bars(panels: &[BarPanel]) -> Result<String, Error> {
    svg((BAR_PANEL.0, pixels(BAR_PANEL.1, panels.len())), |area| {
        let areas = area.split_evenly((panels.len(), 1));
        areas.iter().zip(panels).try_for_each(|(area, panel)| bar_panel(area, panel))
    })
}

#[expect(clippy::cast_precision_loss, reason = "a few groups and bars")]
fn bar_panel(area: &Area<'_>, panel: &BarPanel) -> Drawn {
    let groups = panel.groups.len() as f64;
    let width = 0.8 / panel.series.len().max(1) as f64;
    // The key goes to the right of the bars.
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 16))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(56)
        .build_cartesian_2d(-0.5..groups * 1.25 - 0.5, 0.0..105.0)?;
    let names: Vec<String> = panel.groups.iter().map(|&name| name.to_owned()).collect();
    let tick = |x: &f64| tick(*x, &names);
    let mut mesh = chart.configure_mesh();
    mesh.disable_x_mesh().y_desc(panel.y_label).label_style((FONT, 12)).light_line_style(WHITE);
    mesh.x_label_formatter(&tick).x_labels(4 * panel.groups.len()).draw()?;
    for (index, ((name, values), colour)) in
        panel.series.iter().zip(COLOURS.iter().cycle()).enumerate()
    {
        let left = |group: usize| group as f64 - 0.4 + width * index as f64;
        let bars = values.iter().enumerate().filter_map(|(group, value)| {
            let value = (*value)?;
            Some(Rectangle::new(
                [(left(group), 0.0), (left(group) + width * 0.9, value)],
                colour.filled(),
            ))
        });
        let drawn = chart.draw_series(bars)?;
        drawn
            .label(name)
            .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()));
    }
    key(&mut chart, SeriesLabelPosition::MiddleRight)
}

/// Sizes in megabytes on a logarithmic axis: a name, a size and whether it is ours.
pub(crate) fn sizes(title: &str, rows: &[(String, f64, bool)]) -> Result<String, Error> {
    /// The height of a row, and the width of the names before it.
    const ROW: u32 = 26;
    const NAMES: u32 = 440;
    let names: Vec<String> = rows.iter().rev().map(|(name, ..)| name.clone()).collect();
    #[expect(clippy::cast_precision_loss, reason = "a few rows")]
    let count = rows.len() as f64;
    let values = || rows.iter().map(|(_, size, _)| *size);
    let (low, high) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    svg((NAMES + 500, pixels(ROW, rows.len()) + 110), |area| {
        let mut chart = ChartBuilder::on(area)
            .caption(title, (FONT, 17))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(NAMES)
            .build_cartesian_2d((low / 2.0..high * 3.0).log_scale(), -0.5..count - 0.5)?;
        let name = |y: &f64| tick(*y, &names);
        chart
            .configure_mesh()
            .disable_y_mesh()
            .x_desc("megabytes")
            .label_style((FONT, 14))
            .light_line_style(WHITE)
            .y_labels(4 * rows.len())
            .y_label_formatter(&name)
            .x_label_formatter(&|x| trimmed(*x))
            .draw()?;
        for (y, (_, size, ours)) in (0u32..).zip(rows.iter().rev()) {
            let (y, colour) = (f64::from(y), COLOURS[usize::from(!ours)]);
            let from = low / 2.0;
            chart.draw_series([PathElement::new([(from, y), (*size, y)], colour.mix(0.4))])?;
            chart.draw_series([Circle::new((*size, y), 5, colour.filled())])?;
            let label = Text::new(trimmed(*size), (size * 1.12, y + 0.3), (FONT, 13));
            chart.draw_series([label])?;
        }
        Ok(())
    })
}
