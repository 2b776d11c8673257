//! Dots with whiskers on a logarithmic axis of errors, as SVG.
//!
//! Scores near 100 % look alike as bars from 0 to 100. What tells them apart is the error, 100 −
//! F1, on a logarithmic axis: a method that makes a tenth of the mistakes is one step lower. No
//! error at all is drawn at the bottom, with the smallest.

use plotters::prelude::*;

use crate::Error;
use crate::plots::{Area, COLOURS, Drawn, FONT, pixels, svg};

/// One chart: a dot for every series in every group.
pub(crate) struct DotPanel {
    pub(crate) title: String,
    pub(crate) groups: Vec<String>,
    /// The same series in the same order in every panel: one key explains all.
    pub(crate) series: Vec<Series>,
}

pub(crate) struct Series {
    pub(crate) name: String,
    /// Reference points are drawn as short lines, others as dots.
    pub(crate) is_reference: bool,
    /// Mean and standard deviation of F1 in percent for each group, where there is one.
    pub(crate) scores: Vec<Option<(f64, f64)>>,
}

/// Width and height of a panel, and the width of the key beside it.
const PANEL: (u32, u32) = (760, 300);
const KEY: u32 = 230;
/// The smallest error that has a place of its own. Smaller ones are drawn here.
const FLOOR: f64 = 0.01;
/// Where the axis begins: a little lower, or the floor would have no label.
const BOTTOM: f64 = FLOOR * 0.999;
/// The share of a group's width that its dots are spread over.
const SPREAD: f64 = 0.7;

/// Panels one below the other, with the key on the right.
pub(crate) fn dots(panels: &[DotPanel]) -> Result<String, Error> {
    svg((PANEL.0 + KEY, pixels(PANEL.1, panels.len())), |area| {
        let (charts, side) = area.split_horizontally(PANEL.0);
        let areas = charts.split_evenly((panels.len(), 1));
        areas.iter().zip(panels).try_for_each(|(area, panel)| draw(area, panel))?;
        panels.first().map_or(Ok(()), |panel| key(&side, panel))
    })
}

#[expect(clippy::cast_precision_loss, reason = "a few groups and series")]
fn draw(area: &Area<'_>, panel: &DotPanel) -> Drawn {
    let groups = panel.groups.len() as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, (FONT, 17))
        .margin(10)
        .x_label_area_size(30)
        .y_label_area_size(70)
        .build_cartesian_2d(-0.5..groups - 0.5, (BOTTOM..100.0).log_scale())?;
    let group = |x: &f64| {
        let whole = (x - x.round()).abs() < 1e-9;
        let names = (0u32..).zip(&panel.groups);
        let named = names.filter(|(at, _)| whole && (f64::from(*at) - x).abs() < 0.5);
        named.map(|(_, name)| name.clone()).next().unwrap_or_default()
    };
    let error = |y: &f64| if *y <= FLOOR * 1.001 { format!("≤ {FLOOR}") } else { format!("{y}") };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(4 * panel.groups.len())
        .x_label_formatter(&group)
        .y_desc("error, 100 − F1 in %")
        .y_label_formatter(&error)
        .label_style((FONT, 14))
        .light_line_style(WHITE)
        .draw()?;
    let step = SPREAD / panel.series.len().max(1) as f64;
    for (index, series) in panel.series.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let shift = (index as f64 + 0.5) * step - SPREAD / 2.0;
        for (group, score) in series.scores.iter().enumerate() {
            let Some((mean, sd)) = *score else { continue };
            let (x, y) = (group as f64 + shift, place(mean));
            if series.is_reference {
                let line = [(x - step / 2.0, y), (x + step / 2.0, y)];
                chart.draw_series([PathElement::new(line, colour.stroke_width(3))])?;
                continue;
            }
            let whisker = [(x, place(mean + sd)), (x, place(mean - sd))];
            chart.draw_series([PathElement::new(whisker, colour.stroke_width(1))])?;
            chart.draw_series([Circle::new((x, y), 4, colour.filled())])?;
        }
    }
    Ok(())
}

/// Where a score is on the axis of errors.
fn place(f1: f64) -> f64 {
    (100.0 - f1).clamp(FLOOR, 100.0)
}

/// Which dot is which.
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "a few series")]
fn key(area: &Area<'_>, panel: &DotPanel) -> Drawn {
    for (index, series) in panel.series.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let y = 46 + 22 * index as i32;
        if series.is_reference {
            area.draw(&PathElement::new([(6, y), (22, y)], colour.stroke_width(3)))?;
        } else {
            area.draw(&Circle::new((14, y), 4, colour.filled()))?;
        }
        area.draw(&Text::new(series.name.clone(), (30, y - 8), (FONT, 14)))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_a_dot_and_no_error_is_at_the_bottom() {
        let series = |name: &str, is_reference, scores| Series {
            name: name.to_owned(),
            is_reference,
            scores,
        };
        let panel = DotPanel {
            title: "Two sets".to_owned(),
            groups: vec!["A".to_owned(), "B".to_owned()],
            series: vec![
                series("published", true, vec![Some((90.0, 0.0)), None]),
                series("ours", false, vec![Some((100.0, 0.0)), Some((99.0, 0.5))]),
            ],
        };
        let drawn = dots(&[panel]).unwrap();
        // Two dots, and one in the key.
        assert_eq!(drawn.matches("<circle").count(), 3);
        assert!(drawn.contains("ours") && drawn.contains("error, 100 − F1"));
        assert!(drawn.contains("≤ 0.01"), "the lowest line has a label");
        assert!((place(100.0) - FLOOR).abs() < 1e-12 && (place(90.0) - 10.0).abs() < 1e-12);
    }
}
